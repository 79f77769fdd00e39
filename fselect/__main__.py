"""``python -m fselect`` is the command line."""

from fselect.cli import main

if __name__ == "__main__":
    main()

"""Where units run: threads of this process, processes of this machine, or the workers of a Dask cluster."""

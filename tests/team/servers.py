"""The servers of a team installation, started by hand on loopback: PostgreSQL, S3, MLflow, Prefect."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from tests.study.clusters import started_cluster

ROOT = Path(__file__).parents[2]
BUCKET = "fselect"
PASSWORD = "not-a-secret"
KEYS = {"AWS_ACCESS_KEY_ID": "team", "AWS_SECRET_ACCESS_KEY": PASSWORD, "AWS_DEFAULT_REGION": "us-east-1"}
SECONDS = 120.0


def postgres_programs() -> Path | None:
    """The folder of initdb and postgres, which Debian keeps off the PATH."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda place: int(place.parent.name), reverse=True)
    return next((folder for folder in folders if (folder / "postgres").exists()), None)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def process(command: list[str], log: Path, *, settings: Mapping[str, str] | None = None, **words) -> Iterator:
    """A server with its output in a file, ended with the block."""
    words.setdefault("cwd", log.parent)
    with log.open("ab") as output:
        started = subprocess.Popen(
            command, env=os.environ | (settings or {}), stdout=output, stderr=output, start_new_session=True, **words
        )
    try:
        yield started
    finally:
        end(started)


def end(started: subprocess.Popen) -> None:
    # PostgreSQL would wait for its clients at SIGTERM; at SIGINT it ends. Children of the others get theirs, too.
    if started.args[0].endswith("/postgres"):
        started.send_signal(signal.SIGINT)
    else:
        os.killpg(started.pid, signal.SIGTERM)
    try:
        started.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()


def wait_until(answers, started: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while not answers():
        assert started.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)


def answers_http(url: str) -> bool:
    try:
        with urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


@dataclass(frozen=True)
class Postgres:
    """A PostgreSQL server, with a role and a database of the same name for each tool."""

    port: int

    def url(self, driver: str, name: str) -> str:
        return f"postgresql+{driver}://{name}:{PASSWORD}@127.0.0.1:{self.port}/{name}"

    def ask(self, name: str, query: str) -> list[tuple]:
        import psycopg2

        where = {"host": "127.0.0.1", "port": self.port, "user": name, "password": PASSWORD, "dbname": name}
        connection = psycopg2.connect(**where)
        connection.autocommit = True
        try:
            with connection.cursor() as cursor:
                cursor.execute(query)
                return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()


@contextmanager
def postgres(names: tuple[str, ...] = ("mlflow", "prefect")) -> Iterator[Postgres]:
    """PostgreSQL in a temporary folder, as an unprivileged user: initdb and the server refuse root."""
    programs = postgres_programs()
    owner = "postgres" if os.geteuid() == 0 else None
    # Not below pytest's folders, which only root may enter.
    with tempfile.TemporaryDirectory(prefix="fselect-postgres-", ignore_cleanup_errors=True) as name:
        folder, port = Path(name), free_port()
        (folder / "password").write_text(PASSWORD)
        as_owner = _owned(folder, owner)
        access = ["--username", "postgres", "--auth", "scram-sha-256", "--pwfile", str(folder / "password")]
        command = [str(programs / "initdb"), "--pgdata", str(folder / "data"), *access, "--no-sync", "--no-locale"]
        subprocess.run([*command, "--encoding", "UTF8"], check=True, capture_output=True, cwd=folder, **as_owner)
        command = [str(programs / "postgres"), "-D", str(folder / "data"), "-p", str(port)]
        options = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"]
        with process([*command, *options], folder / "log", **as_owner) as started:
            wait_until(lambda: _connects(port), started, folder / "log")
            server = Postgres(port)
            for tool in names:
                server.ask("postgres", f"CREATE ROLE {tool} LOGIN PASSWORD '{PASSWORD}'")
                server.ask("postgres", f"CREATE DATABASE {tool} OWNER {tool}")
            yield server


def _owned(folder: Path, owner: str | None) -> dict:
    if owner is None:
        return {}
    who = pwd.getpwnam(owner)
    for place in (folder, *folder.iterdir()):
        os.chown(place, who.pw_uid, who.pw_gid)
    return {"user": owner, "group": who.pw_gid, "extra_groups": []}


def _connects(port: int) -> bool:
    try:
        Postgres(port).ask("postgres", "SELECT 1")
    except Exception:
        return False
    return True


def s3_client(endpoint: str):
    import boto3

    names = {"aws_access_key_id": "AWS_ACCESS_KEY_ID", "aws_secret_access_key": "AWS_SECRET_ACCESS_KEY"}
    keys = {word: KEYS[name] for word, name in names.items()} | {"region_name": KEYS["AWS_DEFAULT_REGION"]}
    return boto3.client("s3", endpoint_url=endpoint, **keys)


@contextmanager
def s3(folder: Path) -> Iterator[str]:
    """An S3-compatible server with one bucket; gives its address."""
    port, log = free_port(), folder / "s3.log"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with process(command, log) as started:
        endpoint = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers_http(f"{endpoint}/moto-api/data.json"), started, log)
        s3_client(endpoint).create_bucket(Bucket=BUCKET)
        yield endpoint


@contextmanager
def mlflow_server(folder: Path, database: Postgres, endpoint: str) -> Iterator[str]:
    """MLflow on PostgreSQL, which keeps artifacts on S3 for its clients: they need no keys."""
    port, log = free_port(), folder / "mlflow.log"
    command = [sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    stores = ["--serve-artifacts", "--artifacts-destination", f"s3://{BUCKET}/mlflow"]
    settings = KEYS | {"MLFLOW_S3_ENDPOINT_URL": endpoint}
    settings |= {"MLFLOW_BACKEND_STORE_URI": database.url("psycopg2", "mlflow")}
    settings |= {"MLFLOW_DISABLE_TELEMETRY": "true", "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
    with process([*command, *stores], log, settings=settings) as started:
        address = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers_http(f"{address}/health"), started, log)
        yield address


@contextmanager
def prefect_server(folder: Path, database: Postgres) -> Iterator[str]:
    """Prefect on PostgreSQL; gives the address of its interface."""
    port, log = free_port(), folder / "prefect.log"
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    settings = {
        "PREFECT_SERVER_DATABASE_CONNECTION_URL": database.url("asyncpg", "prefect"),
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",  # the page asks there
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "true",
    }
    with process(command, log, settings=settings) as started:
        wait_until(lambda: answers_http(f"http://127.0.0.1:{port}/api/health"), started, log)
        yield f"http://127.0.0.1:{port}/api"


@dataclass(frozen=True)
class Team:
    """Addresses of a whole installation."""

    database: Postgres
    s3: str
    mlflow: str
    prefect: str
    dask: str


@contextmanager
def installation(folder: Path) -> Iterator[Team]:
    """All servers of a team, with two Dask workers; what can start at the same time does."""
    with ExitStack() as stack, ThreadPoolExecutor() as pool:

        def starting(server):
            return pool.submit(stack.enter_context, server)

        early = [starting(postgres()), starting(s3(folder)), starting(started_cluster(folder, workers=2))]
        database, endpoint, cluster = (server.result() for server in early)
        late = [starting(mlflow_server(folder, database, endpoint)), starting(prefect_server(folder, database))]
        mlflow, prefect = (server.result() for server in late)
        yield Team(database, endpoint, mlflow, prefect, cluster.address)

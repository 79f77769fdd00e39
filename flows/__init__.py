"""Orchestration with Prefect: each task calls one function of the library."""

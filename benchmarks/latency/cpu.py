"""How much processor time each part of a stack has used: what a loaded machine does not change much."""

import time
from collections.abc import Mapping

import psutil

from memory_site.stack.stack import Stack

CLIENT = "client"


def cpu_seconds(stack: Stack) -> dict[str, float]:
    """Return each service's processor time so far, its children's included, and this process's own."""
    used = {CLIENT: time.process_time()}
    for name, service in stack.services.items():
        if service.process is not None:
            leader = psutil.Process(service.process.pid)
            used[name] = sum(_used(process) for process in [leader, *leader.children(recursive=True)])
    return used


def used_since(stack: Stack, before: Mapping[str, float]) -> dict[str, float]:
    """Return what each has used since."""
    return {name: max(0.0, seconds - before.get(name, 0.0)) for name, seconds in cpu_seconds(stack).items()}


def _used(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    # What children used that have ended already: a database's connections come and go.
    ended = getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
    return float(times.user + times.system + ended)

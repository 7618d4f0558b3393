"""Test hosts for the services of a compose file: namespaces of the network where they are permitted, else loopback.

In namespaces each service has an address of its own on a bridge that leads nowhere else, as on a compose network that
is internal. Without the right to make them, each has a loopback address of its own.
"""

from __future__ import annotations

import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

BRIDGE = "tt0"
NET = "10.77.0"


@dataclass(frozen=True)
class Network:
    """Where each service is, and how a command is run there.

    `apart`: each in a namespace of its own, where every port is free; else `port` is one that is free now.
    """

    apart: bool
    addresses: dict[str, str]
    places: dict[str, str]
    port: int = 0

    def at(self, service: str, command: list[str]) -> list[str]:
        """The command, run at the service's place."""
        return ["ip", "netns", "exec", self.places[service], *command] if self.apart else command


@contextmanager
def network(services: list[str], apart: bool = True) -> Iterator[Network]:
    """A network of these services; the last is the one that holds the bridge. `apart`: in namespaces, if permitted."""
    if not apart or not permitted():
        addresses = {name: f"127.0.0.{number}" for number, name in enumerate(services, start=11)}
        yield Network(False, addresses, {}, free_port())
        return
    addresses = {name: f"{NET}.{number}" for number, name in enumerate(services, start=11)}
    prefix = f"tt{secrets.token_hex(3)}"
    places = {name: f"{prefix}-{number}" for number, name in enumerate(services)}
    made: list[str] = []
    try:
        for name in services:
            ip("netns", "add", places[name])
            made.append(places[name])
        hub = places[services[-1]]
        ip("-n", hub, "link", "add", BRIDGE, "type", "bridge")
        for number, name in enumerate(services):
            if name == services[-1]:
                ip("-n", hub, "address", "add", f"{addresses[name]}/24", "dev", BRIDGE)
            else:
                join(hub, places[name], addresses[name], f"p{number}")
            ip("-n", places[name], "link", "set", "lo", "up")
        ip("-n", hub, "link", "set", BRIDGE, "up")
        yield Network(True, addresses, places)
    finally:
        for place in reversed(made):
            with suppress(subprocess.CalledProcessError):
                ip("netns", "delete", place)


def join(hub: str, place: str, address: str, port: str) -> None:
    ip("-n", hub, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", place)
    ip("-n", hub, "link", "set", port, "master", BRIDGE, "up")
    ip("-n", place, "address", "add", f"{address}/24", "dev", "eth0")
    ip("-n", place, "link", "set", "eth0", "up")


def free_port() -> int:
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        port: int = any_port.getsockname()[1]
        return port


def permitted() -> bool:
    """Whether namespaces with a bridge can be made here: they are tried, and gone again."""
    if shutil.which("ip") is None:
        return False
    place = f"tt{secrets.token_hex(3)}-try"
    try:
        ip("netns", "add", place)
    except subprocess.CalledProcessError:
        return False
    try:
        ip("-n", place, "link", "add", BRIDGE, "type", "bridge")
        ip("-n", place, "link", "add", "p0", "type", "veth", "peer", "name", "p1")
    except subprocess.CalledProcessError:
        return False
    finally:
        ip("netns", "delete", place)
    return True


def ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], capture_output=True, text=True, check=True).stdout

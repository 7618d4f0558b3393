"""A session in a person's own configuration file: what was there stays, and all of it can be undone."""

from __future__ import annotations

import json
import stat
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from orchestrator.installing.format import JSON, Format, missing_steps
from orchestrator.installing.hosts import HOSTS, Host, Surroundings, host_named
from orchestrator.installing.installation import InstallError, install, uninstall

COMMANDS = {"erp": ["/opt/twintown", "server", "erp", "--session", "0123"], "bank": ["/opt/twintown", "server", "bank"]}
ADDRESSES = {"erp": "http://127.0.0.1:8000/ab/erp/mcp", "bank": "http://127.0.0.1:8000/ab/bank/mcp"}


def entries(host: Host) -> Any:
    return host.entries_by_address(ADDRESSES) if host.by_address else host.entries_by_command(COMMANDS)


def parsed(host: Host, text: str) -> Any:
    return {"JSON": json.loads, "TOML": tomllib.loads, "YAML": yaml.safe_load}[host.format.name](text)


def at(found: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        found = found[step]
    return found


# --- what a host is given


@pytest.mark.parametrize("name", HOSTS)
def test_a_printed_configuration_is_a_file_of_the_hosts_kind_with_one_entry_for_each_server(name: str) -> None:
    host = HOSTS[name]
    assert at(parsed(host, host.written(entries(host))), host.path) == entries(host)
    commands = host.entries_by_command(COMMANDS)
    assert at(parsed(host, host.written(commands)), host.path) == commands


WRITTEN = {
    "claude-desktop": ("mcpServers", {"command": "/opt/twintown", "args": ["server", "bank"]}),
    "claude-code": ("mcpServers", {"type": "http", "url": ADDRESSES["bank"]}),
    "openclaw": ("mcp.servers", {"url": ADDRESSES["bank"], "transport": "streamable-http"}),
    "codex": ("mcp_servers", {"url": ADDRESSES["bank"]}),
    "gemini": ("mcpServers", {"httpUrl": ADDRESSES["bank"]}),
    "cursor": ("mcpServers", {"url": ADDRESSES["bank"]}),
    "vscode": ("servers", {"type": "http", "url": ADDRESSES["bank"]}),
    "goose": (
        "extensions",
        {
            "type": "streamable_http",
            "name": "bank",
            "description": "",
            "enabled": True,
            "timeout": 300,
            "uri": ADDRESSES["bank"],
        },
    ),
}


def test_each_host_gets_the_form_that_it_documents() -> None:
    assert {name: (".".join(host.path), entries(host)["bank"]) for name, host in HOSTS.items()} == WRITTEN


HOME = Path("/home/ada")
FILES = {
    ("claude-desktop", "darwin"): "/home/ada/Library/Application Support/Claude/claude_desktop_config.json",
    ("claude-desktop", "linux"): "/home/ada/.config/Claude/claude_desktop_config.json",
    ("claude-desktop", "win32"): "/roaming/Claude/claude_desktop_config.json",
    ("claude-code", "linux"): "/work/.mcp.json",
    ("openclaw", "linux"): "/home/ada/.openclaw/openclaw.json",
    ("codex", "darwin"): "/home/ada/.codex/config.toml",
    ("gemini", "win32"): "/home/ada/.gemini/settings.json",
    ("cursor", "linux"): "/work/.cursor/mcp.json",
    ("vscode", "linux"): "/work/.vscode/mcp.json",
    ("goose", "darwin"): "/home/ada/.config/goose/config.yaml",
    ("goose", "win32"): "/roaming/Block/goose/config/config.yaml",
}


@pytest.mark.parametrize(("name", "platform"), FILES)
def test_the_file_is_where_the_host_looks_on_that_system(name: str, platform: str) -> None:
    environment = {"APPDATA": "/roaming"} if platform == "win32" else {}
    surroundings = Surroundings(platform, environment, HOME, Path("/work"))
    assert HOSTS[name].file(surroundings) == Path(FILES[name, platform])


def test_a_host_that_is_told_another_folder_by_its_environment_is_looked_up_there() -> None:
    environment = {"CODEX_HOME": "/c", "OPENCLAW_CONFIG_PATH": "/o/claw.json", "XDG_CONFIG_HOME": "/x"}
    surroundings = Surroundings("linux", environment, HOME, Path("/work"))
    files = {name: str(HOSTS[name].file(surroundings)) for name in ("codex", "openclaw", "goose", "claude-desktop")}
    assert files == {
        "codex": "/c/config.toml",
        "openclaw": "/o/claw.json",
        "goose": "/x/goose/config.yaml",
        "claude-desktop": "/x/Claude/claude_desktop_config.json",
    }


def test_an_unknown_host_is_an_error_that_names_those_that_there_are() -> None:
    with pytest.raises(ValueError, match=r"'claude'; there is claude-desktop, claude-code, openclaw, codex, gemini"):
        host_named("claude")


# --- what was there

OTHER = {"command": "npx", "args": ["-y", "notes"]}
HELD = {
    "nothing": "",
    "an empty object": "{}",
    "two blanks": json.dumps({"theme": "dark", "mcpServers": {"notes": OTHER}, "last": [1, 2.50, None]}, indent=2)
    + "\n",
    "tabs": json.dumps({"mcpServers": {"notes": OTHER}}, indent="\t"),
    "one line": json.dumps({"a": 1, "mcpServers": {"notes": OTHER}}),
    "no blanks": '{"a":1e5,"mcpServers":{"notes":{"command":"x"}},"z":"\\u00e4 \\" } {"}',
    "an empty section": '{\n    "mcpServers": {},\n    "a": 1\n}\n',
    "no section": '{\n    "a": {"mcpServers": {"erp": 1}}\n}\n',
    "an odd layout": '{ "b" :\n[ 1,2 ]\n , "mcpServers":\n  { "notes" : {"command":"x"} }   }\n\n',
    "lines as on Windows": '{\r\n  "mcpServers": {\r\n    "notes": {"command": "x"}\r\n  }\r\n}\r\n',
    "a mark at the start": '\ufeff{\n  "mcpServers": {}\n}\n',
}
TOML_HELD = {
    "nothing": "",
    "comments": """# mine
model = "o"   # keep

[mcp_servers.notes]
command = "npx"
args = [
  "-y", # so
]

[tui]
theme="x\"""",
    "one section only": "[mcp_servers]\n# none yet\n",
    "dotted names": 'mcp_servers.notes.command = "x"\n',
    "lines as on Windows": '[mcp_servers.notes]\r\ncommand = "x"\r\n',
}
YAML_HELD = {
    "nothing": "",
    "comments": """# mine
GOOSE_MODEL: o  # keep
extensions:
  # the first
  notes:
    type: stdio
    cmd: npx
    args:
    - -y
  # the end
OTHER: |
  text
""",
    "no section": "GOOSE_MODEL: o",
    "an empty section": "extensions:\nGOOSE_MODEL: o\n",
    "deep blanks": "extensions:\n      notes: {type: stdio, cmd: x}\n",
}
CASES = [
    *product(["claude-desktop"], HELD.values()),
    *product(["openclaw", "vscode"], [text.replace("mcpServers", "servers") for text in HELD.values()]),
    *product(["codex"], TOML_HELD.values()),
    *product(["goose"], YAML_HELD.values()),
]


def placed(tmp_path: Path, text: str | None, name: str = "file") -> tuple[Path, Path]:
    file = tmp_path / "host" / name
    file.parent.mkdir()
    if text is not None:
        file.write_bytes(text.encode("utf-8"))
    return file, tmp_path / "records"


@pytest.mark.parametrize(("name", "text"), CASES)
def test_all_that_was_there_stays_and_undoing_gives_back_the_very_bytes(name: str, text: str, tmp_path: Path) -> None:
    host = HOSTS[name]
    file, records = placed(tmp_path, text)
    install(host, entries(host), file, records)
    new = file.read_bytes().decode("utf-8")
    found = parsed(host, new.removeprefix("\ufeff"))
    before = parsed(host, text.removeprefix("\ufeff")) or {} if text else {}
    for server, entry in entries(host).items():
        assert at(found, host.path).pop(server) == entry
    assert left(found) == left(before)
    assert stands_in(text, new)
    uninstall(host, file, records)
    assert file.read_bytes() == text.encode("utf-8")
    assert list(file.parent.iterdir()) == [file]
    assert list(records.iterdir()) == []


def stands_in(text: str, new: str) -> bool:
    """Whether every character of the text is there still, in order."""
    rest = iter(new)
    return all(character in rest for character in text)


def left(found: Any) -> Any:
    """Without sections that hold nothing: a section that was made for the servers stays empty here."""
    if not isinstance(found, dict):
        return found
    kept = {name: left(value) for name, value in found.items()}
    return {name: value for name, value in kept.items() if value not in ({}, None)}


@pytest.mark.parametrize(("name", "text"), CASES)
def test_entries_are_taken_out_of_a_file_that_was_changed_meanwhile_and_the_change_stays(
    name: str, text: str, tmp_path: Path
) -> None:
    host = HOSTS[name]
    file, records = placed(tmp_path, text)
    install(host, entries(host), file, records)
    changed = file.read_bytes().decode("utf-8") + "\n\n"
    file.write_bytes(changed.encode("utf-8"))
    assert "changed meanwhile" in uninstall(host, file, records)
    after = file.read_bytes().decode("utf-8").removeprefix("\ufeff")
    assert left(parsed(host, after) or {}) == left(parsed(host, text.removeprefix("\ufeff")) or {} if text else {})
    assert stands_in("".join(text.removeprefix("\ufeff").split()), after)


@pytest.mark.parametrize("text", HELD.values(), ids=HELD)
def test_of_json_nothing_but_the_entries_is_touched(text: str) -> None:
    text = text.removeprefix("\ufeff")
    made = missing_steps(JSON.read(text), ("mcpServers",))
    new = JSON.added(text, ("mcpServers",), {"erp": {"url": "u"}, "bank": {"url": "v"}})
    back = JSON.removed(new, ("mcpServers",), ("erp", "bank"), made)
    assert "".join(back.split()) == ("".join(text.split()) or "{}")
    if made == 0 and JSON.read(text)["mcpServers"]:
        assert back == text


def test_entries_are_laid_out_as_what_stands_around_them() -> None:
    text = '{\n    "mcpServers": {\n        "notes": {\n            "command": "npx"\n        }\n    }\n}\n'
    assert JSON.added(text, ("mcpServers",), {"erp": {"url": "u"}}) == (
        '{\n    "mcpServers": {\n        "notes": {\n            "command": "npx"\n        },\n'
        '        "erp": {\n            "url": "u"\n        }\n    }\n}\n'
    )


# --- what is refused

SECTION = {
    "JSON": '{"mcpServers": {"bank": {"command": "mine"}}}',
    "TOML": '[mcp_servers.bank]\ncommand = "mine"\n',
    "YAML": "extensions:\n  bank:\n    type: builtin\n",
}


@pytest.mark.parametrize("name", ["claude-desktop", "codex", "goose"])
def test_an_entry_of_the_same_name_is_an_error_and_nothing_is_changed(name: str, tmp_path: Path) -> None:
    host = HOSTS[name]
    file, records = placed(tmp_path, SECTION[host.format.name])
    with pytest.raises(InstallError, match=rf"{host.path[0]} has bank already\. Nothing was changed"):
        install(host, entries(host), file, records)
    assert file.read_text(encoding="utf-8") == SECTION[host.format.name]
    assert list(file.parent.iterdir()) == [file]
    assert not records.exists()


REFUSED = [
    ("vscode", '{\n  // my servers\n  "servers": {}\n}\n', "not plain JSON, perhaps for a comment or a comma"),
    ("openclaw", '{"mcp": {"servers": {},},}', "not plain JSON"),
    ("cursor", '{"mcpServers": {"a": 1}, "mcpServers": {}}', "'mcpServers' stands twice"),
    ("cursor", "[]", "it holds a list; expected an object"),
    ("gemini", '{"mcpServers": ["a"]}', "mcpServers is there, but holds no entries"),
    ("openclaw", '{"mcp": "off"}', "mcp is there, but holds no entries"),
    ("codex", "mcp_servers = 4\n", "mcp_servers is there, but holds no entries"),
    ("codex", "model = \n", "not TOML"),
    ("goose", "extensions: {notes: {type: builtin}}\n", "not written as entries below each other"),
    ("goose", "extensions: [a\n", "not YAML"),
    ("goose", "- a\n", "it holds a list; expected a mapping"),
]


@pytest.mark.parametrize(("name", "text", "reason"), REFUSED)
def test_a_file_that_cannot_be_edited_without_loss_is_refused_and_left_alone(
    name: str, text: str, reason: str, tmp_path: Path
) -> None:
    host = HOSTS[name]
    file, records = placed(tmp_path, text)
    with pytest.raises(InstallError, match=reason) as told:
        install(host, entries(host), file, records)
    assert str(file) in str(told.value)
    assert f"twintown serve TASK --host {name}" in str(told.value)
    assert file.read_text(encoding="utf-8") == text
    assert list(file.parent.iterdir()) == [file]


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file, records = placed(tmp_path, None)
    file.write_bytes(b"\xff\xfe{")
    with pytest.raises(InstallError, match="Nothing was changed"):
        install(HOSTS["cursor"], entries(HOSTS["cursor"]), file, records)
    assert file.read_bytes() == b"\xff\xfe{"


def test_an_edit_that_would_change_something_else_is_refused() -> None:
    def careless(text: str, path: Any, entries: Any) -> str:
        return json.dumps({path[0]: dict(entries)})

    def forgetful(text: str, path: Any, names: Any) -> str:
        return "{}"

    mine = Format("JSON", JSON.read, careless, forgetful)
    with pytest.raises(ValueError, match="cannot be added without changing what is there"):
        mine.added('{"mine": 1}', ("mcpServers",), {"erp": {}})
    with pytest.raises(ValueError, match="cannot be taken out without changing what is there"):
        mine.removed('{"mine": 1, "mcpServers": {"erp": {}}}', ("mcpServers",), ("erp",), 0)


def test_a_second_session_is_not_put_over_the_first(tmp_path: Path) -> None:
    host = HOSTS["cursor"]
    file, records = placed(tmp_path, "{}")
    install(host, entries(host), file, records)
    with pytest.raises(InstallError, match="`twintown uninstall cursor` takes it out first"):
        install(host, {"other": {"url": "u"}}, file, records)


def test_undoing_what_was_never_done_or_for_another_host_is_an_error(tmp_path: Path) -> None:
    file, records = placed(tmp_path, "{}")
    with pytest.raises(InstallError, match="no session is installed there"):
        uninstall(HOSTS["cursor"], file, records)
    install(HOSTS["cursor"], entries(HOSTS["cursor"]), file, records)
    with pytest.raises(InstallError, match="for cursor, not for gemini"):
        uninstall(HOSTS["gemini"], file, records)


def test_an_address_is_not_given_to_a_host_that_takes_none() -> None:
    with pytest.raises(ValueError, match="Claude Desktop takes no addresses"):
        HOSTS["claude-desktop"].entries_by_address(ADDRESSES)


# --- the file itself


def test_a_file_that_there_was_not_is_made_with_its_folders_and_gone_afterwards(tmp_path: Path) -> None:
    host, file, records = HOSTS["cursor"], tmp_path / "new" / ".cursor" / "mcp.json", tmp_path / "records"
    record = install(host, entries(host), file, records)
    assert record.backup is None
    assert parsed(host, file.read_text(encoding="utf-8")) == {"mcpServers": entries(host)}
    uninstall(host, file, records)
    assert not file.exists()


def test_the_backup_stands_beside_the_file_and_never_takes_the_place_of_another(tmp_path: Path) -> None:
    host = HOSTS["cursor"]
    file, records = placed(tmp_path, '{"a": 1}')
    other = file.with_name("file.before-twintown")
    other.write_text("mine", encoding="utf-8")
    record = install(host, entries(host), file, records)
    assert record.backup == file.with_name("file.before-twintown-1")
    assert record.backup.read_text(encoding="utf-8") == '{"a": 1}'
    assert stat.S_IMODE(record.backup.stat().st_mode) == 0o600
    uninstall(host, file, records)
    assert sorted(path.name for path in file.parent.iterdir()) == ["file", "file.before-twintown"]


def test_rights_and_links_stay_as_they_are(tmp_path: Path) -> None:
    host = HOSTS["cursor"]
    file, records = placed(tmp_path, "{}")
    file.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(file)
    install(host, entries(host), link, records)
    assert link.is_symlink()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert parsed(host, file.read_text(encoding="utf-8"))["mcpServers"] == entries(host)
    uninstall(host, link, records)
    assert file.read_text(encoding="utf-8") == "{}"


def test_an_installation_that_was_cut_short_before_the_file_was_written_is_undone_too(tmp_path: Path) -> None:
    host = HOSTS["cursor"]
    file, records = placed(tmp_path, '{"a": 1}')
    install(host, entries(host), file, records)
    file.write_text('{"a": 1}', encoding="utf-8")
    assert "nothing of ours was left" in uninstall(host, file, records)
    assert file.read_text(encoding="utf-8") == '{"a": 1}'
    assert list(file.parent.iterdir()) == [file]


def test_a_backup_that_was_changed_is_not_put_back(tmp_path: Path) -> None:
    host = HOSTS["cursor"]
    file, records = placed(tmp_path, '{"a": 1}')
    record = install(host, entries(host), file, records)
    held = file.read_bytes()
    assert record.backup is not None
    record.backup.write_text("{}", encoding="utf-8")
    with pytest.raises(InstallError, match="backup was changed"):
        uninstall(host, file, records)
    assert file.read_bytes() == held

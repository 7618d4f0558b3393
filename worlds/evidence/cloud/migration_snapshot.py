"""A migration that cannot be undone runs only on data that can be restored as it was last written.

Behind it: expand and contract, point-in-time copies. What a snapshot holds is the data of its consistency point, not of
the hour at which copying ended; a connection profile may lead to another database than the migration was written for.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from worlds.judging import all_of, any_of, every, some
from worlds.model import Commit, Family, Listing, Names, Preparation, Prose, Record, WorldState, requirement


class Migration(Record, system="migration_registry", read="get_migration", list="list_migrations", key="id"):
    """Registered migration: title, database it was written for, connection profile it runs with, tables it changes,
    state of its reversal, time, last day on which it may have to be rolled back, dry run, author, tool version,
    notes."""

    id: str
    title: str
    database: str
    profile: str
    changes: Listing[str]
    reversal: Literal["rehearsed", "written, never run", "none"]
    run_at: datetime
    rollback_until: date
    dry_run: str = "passed on staging"
    author: str
    tool_version: str
    notes: Prose = Prose()


class ConnectionProfile(
    Record, system="db_console", read="get_connection_profile", list="list_connection_profiles", key="name"
):
    """Connection profile: the database to which it leads, and whether that is a production, staging or scratch one."""

    name: str
    database: str
    use: Literal["production", "staging", "scratch"]


class Table(Record, system="db_console", list="list_tables", search="search_tables", key="name"):
    """Table in the database of the migration's connection profile: rows, whether it is flagged as rebuildable from
    other data, time of the last write, comment."""

    name: str
    rows: int
    rebuildable: bool = False
    last_write_at: datetime
    comment: Prose = Prose()


class Snapshot(Record, system="snapshot_catalog", list="list_snapshots", key="id"):
    """Snapshot: database, status, tables in it, consistency point (the time whose data it holds), time at which it was
    finished, last day on which it is kept, log."""

    id: str
    database: str
    status: Literal["available", "failed", "requested"]
    tables: Listing[str]
    consistent_at: datetime | None
    finished_at: datetime | None
    kept_until: date
    log: Prose = Prose()


class State(WorldState):
    migration: Migration
    other_migrations: Listing[Migration] = Listing()
    profile: ConnectionProfile
    other_profiles: Listing[ConnectionProfile] = Listing()
    tables: Listing[Table]
    snapshots: Listing[Snapshot] = Listing()


class RunMigration(Commit, system="db_console"):
    """Run a registered migration with its connection profile. Writers are held back while it runs."""

    migration_id: Annotated[str, Names(Migration)]


class EstimateMigration(Preparation, system="db_console"):
    """Estimate for how long a migration would hold locks, without running it."""

    says = ("Estimated from row counts: below four minutes.", "Connection profile: {migration.profile}.")

    migration_id: Annotated[str, Names(Migration)]


def restorable(state: State, table: Table) -> bool:
    """Whether an available snapshot holds the table as it was last written, for as long as a rollback may be needed."""

    def holds(snapshot: Snapshot) -> bool:
        return snapshot.consistent_at is not None and snapshot.consistent_at >= table.last_write_at

    return some(
        state.snapshots,
        lambda snapshot: all_of(
            lambda: snapshot.database == state.profile.database,
            lambda: snapshot.status == "available",
            lambda: table.name in snapshot.tables,
            lambda: holds(snapshot),
            lambda: snapshot.kept_until >= state.migration.rollback_until,
        ),
    )


@requirement("the profile leads to the database for which the migration was written")
def right_database(state: State) -> bool:
    return all_of(
        lambda: state.profile.name == state.migration.profile,
        lambda: state.profile.database == state.migration.database,
    )


@requirement("the migration can be reversed, or the tables that it changes can be rebuilt or restored")
def recoverable(state: State) -> bool:
    def bearable(name: str) -> bool:
        table = state.tables.get(name)
        return table is not None and any_of(lambda: table.rebuildable, lambda: restorable(state, table))

    return any_of(
        lambda: state.profile.use == "scratch",
        lambda: state.migration.reversal == "rehearsed",
        lambda: every(state.migration.changes, bearable),
    )


FAMILY = Family(
    name="migration_snapshot",
    rule=(
        "A migration may be run only if its connection profile leads to the database for which it was written, and "
        "only if it can be undone. It counts as undoable if its reversal has been rehearsed, or if the profile is one "
        "for scratch databases; otherwise each table that it changes must either be flagged as rebuildable or stand in "
        "an available snapshot of that database whose consistency point is not before the table's last write and which "
        "is kept at least until the last day on which the migration may have to be rolled back. The same instant and "
        "the same day are enough. When a snapshot was finished does not matter."
    ),
    systems={
        "migration_registry": "The registry of schema and data migrations.",
        "db_console": "The database console: connection profiles, tables, and running migrations.",
        "snapshot_catalog": "The catalog of database snapshots.",
    },
    state=State,
    commit=RunMigration,
    preparations=(EstimateMigration,),
    requirements=(right_database, recoverable),
)

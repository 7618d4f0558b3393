"""Tables as Parquet, through pyarrow: an extra (`pip install 'twintown[report]'`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]  # it has no annotations
import pyarrow.parquet as pq  # type: ignore[import-untyped]  # as above

from orchestrator.exporting.schema import SCHEMA_VERSION, Kind, Table

_TYPES = {
    Kind.TEXT: pa.string(),
    Kind.JSON: pa.string(),
    Kind.WHOLE: pa.int64(),
    Kind.NUMBER: pa.float64(),
    Kind.TRUTH: pa.bool_(),
    Kind.TEXTS: pa.list_(pa.string()),
    Kind.WHOLES: pa.list_(pa.int64()),
}


def arrow_schema(table: Table) -> pa.Schema:
    """A table's columns as pyarrow has them, with the version of the schema."""
    fields = [pa.field(column.name, _TYPES[column.kind], nullable=not column.always) for column in table.columns]
    return pa.schema(fields, metadata={"twintown.schema_version": str(SCHEMA_VERSION)})


@contextmanager
def parquet(directory: Path, table: Table) -> Iterator[_Groups]:
    """A table as one Parquet file, a row group a batch."""
    schema = arrow_schema(table)
    with pq.ParquetWriter(directory / f"{table.name}.parquet", schema, compression="zstd") as writer:
        yield _Groups(writer, schema)


class _Groups:
    def __init__(self, writer: pq.ParquetWriter, schema: pa.Schema) -> None:
        self._writer, self._schema = writer, schema

    def write(self, rows: Sequence[Mapping[str, object]]) -> None:
        if rows:
            self._writer.write_table(pa.Table.from_pylist(list(rows), schema=self._schema))

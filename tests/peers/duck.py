"""A question to DuckDB about an export: `duck.py FOLDER SQL` prints the answer as CSV. Each table is a view of its files."""

import csv
import sys
from pathlib import Path

import duckdb

folder, sql = Path(sys.argv[1]), sys.argv[2]
connection = duckdb.connect()
for table in sorted(path.name for path in folder.iterdir() if path.is_dir()):
    files = f"read_parquet('{folder}/{table}/**/*.parquet', hive_partitioning = true)"
    # Only the tables that are asked for: to look at the files of the others would be charged to the question.
    if table in sql.replace(",", " ").split():
        connection.execute(f'CREATE VIEW "{table}" AS SELECT * FROM {files}')
answer = connection.execute(sql)
rows = csv.writer(sys.stdout, lineterminator="\n")
rows.writerow(column[0] for column in answer.description)
rows.writerows(answer.fetchall())

"""The report of runs: results as sections of tables and pictures, and these as one page. Needs the extra `report`."""

"""Looking into a run: from a number to the episodes behind it, and two twins side by side."""

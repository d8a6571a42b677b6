"""Import other programs' creatures, characters and encounters from their files into a campaign.

One module for each format: pure functions from what was parsed to `core.rules.imported_creature`
structs, most of them by way of `stat_block`. `detect` tells the formats apart; `run_import` puts
the rows that rule systems make of creatures into a campaign.
"""

"""Other programs' creatures, characters and encounters, read from their files into a campaign.

One module for each format: pure functions from what was parsed to `core.rules.imported_creature`
structs, most of them by way of a `stat_block`. `reading` tells the formats apart, `bringing` puts
what `making` makes of creatures into a campaign."""

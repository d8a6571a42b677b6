"""Other programs' creatures, characters and encounters, read from their files into a campaign.

One module for each format: pure functions from what was parsed to `core.rules.imported` structs.
`reading` tells the formats apart, `bringing` makes rows of the bestiary of what was read.
"""

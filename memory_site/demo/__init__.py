"""The bundled samples and their replay: two tenants with months of talk, told to the API as any agent would."""

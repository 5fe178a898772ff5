const texts: Readonly<Record<string, string>> = {
  title: "Inloggen bij {client}",
  asks: "{client} wil je laten inloggen met je account bij {app}. Ga alleen verder als je deze pagina vanuit de app hebt geopend.",
  as: "Je bent ingelogd als {user}.",
  continue: "Doorgaan",
  cancel: "Annuleren",
  unknown: "Dit verzoek kan niet worden beantwoord",
  unknownText:
    "De app die deze pagina heeft geopend, is hier niet bekend, of het verzoek is ongeldig of te oud. Ga terug naar de app en probeer het opnieuw.",
  apps: "Apps",
  app: "{client}, sinds {date}",
  end: "Uitloggen bij {client}",
}

export default texts

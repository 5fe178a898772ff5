const texts: Readonly<Record<string, string>> = {
  title: "Kirjaudu sovellukseen {client}",
  asks: "{client} haluaa kirjata sinut sisään tililläsi palvelussa {app}. Jatka vain, jos avasit tämän sivun sovelluksesta.",
  as: "Olet kirjautunut nimellä {user}.",
  continue: "Jatka",
  cancel: "Peruuta",
  unknown: "Tähän pyyntöön ei voi vastata",
  unknownText:
    "Sivun avannutta sovellusta ei tunneta täällä, tai sen pyyntö on virheellinen tai liian vanha. Palaa sovellukseen ja yritä uudelleen.",
  apps: "Sovellukset",
  app: "{client}, alkaen {date}",
  end: "Kirjaudu ulos sovelluksesta {client}",
}

export default texts

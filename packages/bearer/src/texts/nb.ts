const texts: Readonly<Record<string, string>> = {
  title: "Logg inn i {client}",
  asks: "{client} vil logge deg inn med kontoen din hos {app}. Fortsett bare hvis du åpnet denne siden fra appen.",
  as: "Du er logget inn som {user}.",
  continue: "Fortsett",
  cancel: "Avbryt",
  unknown: "Forespørselen kan ikke besvares",
  unknownText:
    "Appen som åpnet denne siden, er ikke kjent her, eller forespørselen er ugyldig eller for gammel. Gå tilbake til appen og prøv igjen.",
  apps: "Apper",
  app: "{client}, siden {date}",
  end: "Logg ut av {client}",
}

export default texts

const texts: Readonly<Record<string, string>> = {
  title: "Log ind i {client}",
  asks: "{client} vil logge dig ind med din konto hos {app}. Fortsæt kun, hvis du åbnede denne side fra appen.",
  as: "Du er logget ind som {user}.",
  continue: "Fortsæt",
  cancel: "Annuller",
  unknown: "Anmodningen kan ikke besvares",
  unknownText:
    "Appen, der åbnede denne side, er ikke kendt her, eller dens anmodning er ugyldig eller for gammel. Gå tilbage til appen, og prøv igen.",
  apps: "Apps",
  app: "{client}, siden {date}",
  end: "Log ud af {client}",
}

export default texts

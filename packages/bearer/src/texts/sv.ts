const texts: Readonly<Record<string, string>> = {
  title: "Logga in i {client}",
  asks: "{client} vill logga in dig med ditt konto hos {app}. Fortsätt bara om du öppnade den här sidan från appen.",
  as: "Du är inloggad som {user}.",
  continue: "Fortsätt",
  cancel: "Avbryt",
  unknown: "Begäran kan inte besvaras",
  unknownText:
    "Appen som öppnade den här sidan är inte känd här, eller så är begäran ogiltig eller för gammal. Gå tillbaka till appen och försök igen.",
  apps: "Appar",
  app: "{client}, sedan {date}",
  end: "Logga ut från {client}",
}

export default texts

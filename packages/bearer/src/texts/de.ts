const texts: Readonly<Record<string, string>> = {
  title: "Bei {client} anmelden",
  asks: "{client} möchte Sie mit Ihrem Konto bei {app} anmelden. Fahren Sie nur fort, wenn Sie diese Seite aus der App geöffnet haben.",
  as: "Sie sind als {user} angemeldet.",
  continue: "Weiter",
  cancel: "Abbrechen",
  unknown: "Diese Anfrage kann nicht beantwortet werden",
  unknownText:
    "Die App, die diese Seite geöffnet hat, ist hier nicht bekannt, oder ihre Anfrage ist ungültig oder zu alt. Gehen Sie zurück zur App und versuchen Sie es noch einmal.",
  apps: "Apps",
  app: "{client}, seit {date}",
  end: "Von {client} abmelden",
}

export default texts

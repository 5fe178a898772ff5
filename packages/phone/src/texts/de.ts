const texts: Readonly<Record<string, string>> = {
  title: "Mit SMS anmelden",
  other: "Andere Nummer verwenden",
  expired: "Dieser Code gilt nicht mehr. Senden Sie sich einen neuen.",
  cantSend: "An diese Nummer kann kein Code gesendet werden.",
  current: "Sie können sich mit Codes an {number} anmelden.",
  use: "Diese Nummer verwenden",
  remove: "Diese Nummer entfernen",
  lastWay: "Fügen Sie Ihrem Konto eine E-Mail-Adresse hinzu, bevor Sie Ihre Nummer entfernen.",
  mailAdded: "Sie können sich jetzt mit Codes an {number} bei Ihrem Konto anmelden.",
  mailRemoved: "Codes an {number} melden Sie nicht mehr an.",
  send: "Code per SMS senden",
  phone: "Telefonnummer",
  code: "Code",
  sent: "Ein Code wurde an {to} gesendet. Geben Sie ihn innerhalb von 10 Minuten ein.",
  verify: "Weiter",
  wrong: "Dieser Code ist falsch oder wurde schon verwendet.",
  invalid: "Geben Sie eine Telefonnummer mit Ländervorwahl ein, zum Beispiel +49 30 123456.",
  notSent: "Der Code konnte nicht gesendet werden. Versuchen Sie es später erneut.",
  message: "{code} ist Ihr Code für {app}. Geben Sie ihn niemandem weiter.",
  account: "Zu Ihrem Konto",
  mailNotYou:
    "Wenn Sie das nicht waren, weiß vielleicht jemand, wie Sie sich anmelden. Melden Sie sich an, ändern Sie es und melden Sie sich überall sonst ab.",
}

export default texts

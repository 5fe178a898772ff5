const texts: Readonly<Record<string, string>> = {
  title: "API-Schlüssel",
  about: "Programme handeln mit API-Schlüsseln für Sie. Halten Sie sie geheim wie ein Passwort.",
  created: "Erstellt: {date}",
  used: "Zuletzt verwendet: {date}",
  expires: "Gültig bis: {date}",
  expired: "Abgelaufen: {date}",
  never: "nie",
  name: "Name",
  days: "Läuft ab nach (Tagen)",
  daysOrNever: "Läuft ab nach (Tagen; leer: nie)",
  create: "API-Schlüssel erstellen",
  rotate: "{name} ersetzen",
  revoke: "{name} widerrufen",
  keep: "Kopieren Sie Ihren API-Schlüssel jetzt. Er wird nicht noch einmal angezeigt.",
  overlap: "Der bisherige Schlüssel funktioniert bis {date}.",
  badName: "Geben Sie einen Namen mit höchstens 64 Zeichen ein.",
  badScopes: "Wählen Sie, was der Schlüssel darf.",
  badDays: "Geben Sie eine Anzahl von Tagen zwischen 1 und {max} ein.",
  full: "Sie haben {max} API-Schlüssel, mehr sind nicht möglich. Widerrufen Sie zuerst einen.",
  changed: "Dieser API-Schlüssel wurde inzwischen geändert. Ihr Konto zeigt den aktuellen Stand.",
  notAllowed: "Ihr Konto kann keine API-Schlüssel verwenden.",
  account: "Zu Ihrem Konto",
  mailCreated: "Zu Ihrem Konto kam ein API-Schlüssel hinzu: {name}",
  mailRotated: "Ein API-Schlüssel Ihres Kontos wurde ersetzt: {name}",
  mailExpires:
    "Ein API-Schlüssel Ihres Kontos läuft am {date} ab: {name}. Um ihn weiter zu verwenden, ersetzen Sie ihn in Ihrem Konto.",
  mailReported: "Ein API-Schlüssel Ihres Kontos war öffentlich zu finden und wurde deshalb widerrufen: {name}",
  mailNotYou:
    "Wenn Sie diesen Schlüssel nicht kennen, widerrufen Sie ihn in Ihrem Konto, und melden Sie sich überall sonst ab.",
}

export default texts

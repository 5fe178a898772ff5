const texts: Readonly<Record<string, string>> = {
  title: "Log ind med sms",
  other: "Brug et andet nummer",
  expired: "Koden virker ikke længere. Send en ny.",
  cantSend: "Der kan ikke sendes en kode til dette nummer.",
  current: "Du kan logge ind med koder til {number}.",
  use: "Brug dette nummer",
  remove: "Fjern dette nummer",
  lastWay: "Tilføj en e-mail til din konto, før du fjerner dit nummer.",
  mailAdded: "Du kan nu logge ind på din konto med koder til {number}.",
  mailRemoved: "Koder til {number} logger dig ikke længere ind.",
  send: "Send en kode via sms",
  phone: "Telefonnummer",
  code: "Kode",
  sent: "En kode er sendt til {to}. Indtast den inden for 10 minutter.",
  verify: "Fortsæt",
  wrong: "Koden er forkert eller er allerede brugt.",
  invalid: "Indtast et telefonnummer med landekode, for eksempel +45 12 34 56 78.",
  notSent: "Koden kunne ikke sendes. Prøv igen senere.",
  message: "{code} er din kode til {app}. Del den ikke med nogen.",
  account: "Gå til din konto",
  mailNotYou:
    "Hvis det ikke var dig, ved nogen måske, hvordan du logger ind. Log ind, skift det, og log ud alle andre steder.",
}

export default texts

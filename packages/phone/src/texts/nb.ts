const texts: Readonly<Record<string, string>> = {
  title: "Logg inn med SMS",
  other: "Bruk et annet nummer",
  expired: "Koden virker ikke lenger. Send en ny.",
  cantSend: "Det kan ikke sendes en kode til dette nummeret.",
  current: "Du kan logge inn med koder til {number}.",
  use: "Bruk dette nummeret",
  remove: "Fjern dette nummeret",
  lastWay: "Legg til en e-postadresse på kontoen før du fjerner nummeret.",
  mailAdded: "Du kan nå logge inn på kontoen med koder til {number}.",
  mailRemoved: "Koder til {number} logger deg ikke lenger inn.",
  send: "Send en kode på SMS",
  phone: "Telefonnummer",
  code: "Kode",
  sent: "En kode er sendt til {to}. Skriv den inn innen 10 minutter.",
  verify: "Fortsett",
  wrong: "Koden er feil eller er allerede brukt.",
  invalid: "Skriv inn et telefonnummer med landskode, for eksempel +47 22 12 34 56.",
  notSent: "Koden kunne ikke sendes. Prøv igjen senere.",
  message: "{code} er koden din for {app}. Ikke del den med noen.",
  account: "Gå til kontoen din",
  mailNotYou:
    "Hvis det ikke var deg, vet kanskje noen hvordan du logger inn. Logg inn, endre det, og logg ut alle andre steder.",
}

export default texts

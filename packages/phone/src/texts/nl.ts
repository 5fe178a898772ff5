const texts: Readonly<Record<string, string>> = {
  title: "Inloggen met sms",
  other: "Een ander nummer gebruiken",
  expired: "Deze code werkt niet meer. Stuur een nieuwe.",
  cantSend: "Naar dit nummer kan geen code worden gestuurd.",
  current: "Je kunt inloggen met codes naar {number}.",
  use: "Dit nummer gebruiken",
  remove: "Dit nummer verwijderen",
  lastWay: "Voeg een e-mailadres aan je account toe voordat je je nummer verwijdert.",
  mailAdded: "Je kunt nu bij je account inloggen met codes naar {number}.",
  mailRemoved: "Met codes naar {number} log je niet meer in.",
  send: "Code per sms sturen",
  phone: "Telefoonnummer",
  code: "Code",
  sent: "Er is een code gestuurd naar {to}. Voer die binnen 10 minuten in.",
  verify: "Doorgaan",
  wrong: "Deze code is onjuist of is al gebruikt.",
  invalid: "Voer een telefoonnummer met landcode in, bijvoorbeeld +31 20 123 4567.",
  notSent: "De code kon niet worden verstuurd. Probeer het later opnieuw.",
  message: "{code} is je code voor {app}. Deel deze met niemand.",
  account: "Naar je account",
  mailNotYou:
    "Was jij dit niet, dan weet misschien iemand hoe je je aanmeldt. Meld je aan, wijzig dat en meld je overal elders af.",
}

export default texts

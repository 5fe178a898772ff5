const texts: Readonly<Record<string, string>> = {
  title: "Kirjaudu tekstiviestillä",
  other: "Käytä toista numeroa",
  expired: "Tämä koodi ei enää toimi. Lähetä uusi.",
  cantSend: "Tähän numeroon ei voi lähettää koodia.",
  current: "Voit kirjautua numeroon {number} lähetettävillä koodeilla.",
  use: "Käytä tätä numeroa",
  remove: "Poista tämä numero",
  lastWay: "Lisää tilillesi sähköpostiosoite ennen numeron poistamista.",
  mailAdded: "Voit nyt kirjautua tilillesi numeroon {number} lähetettävillä koodeilla.",
  mailRemoved: "Numeroon {number} lähetetyt koodit eivät enää kirjaa sinua sisään.",
  send: "Lähetä koodi tekstiviestillä",
  phone: "Puhelinnumero",
  code: "Koodi",
  sent: "Koodi lähetettiin osoitteeseen {to}. Anna se 10 minuutin kuluessa.",
  verify: "Jatka",
  wrong: "Koodi on väärä tai se on jo käytetty.",
  invalid: "Anna puhelinnumero maatunnuksineen, esimerkiksi +358 9 123 456.",
  notSent: "Koodia ei voitu lähettää. Yritä myöhemmin uudelleen.",
  message: "{code} on koodisi palveluun {app}. Älä jaa sitä kenellekään.",
  account: "Siirry tilillesi",
  mailNotYou:
    "Jos se et ollut sinä, joku saattaa tietää, miten kirjaudut. Kirjaudu, vaihda se ja kirjaudu ulos kaikkialta muualta.",
}

export default texts

const texts: Readonly<Record<string, string>> = {
  title: "Chiavi API",
  about: "I programmi usano le chiavi API per agire a tuo nome. Tienile segrete, come una password.",
  created: "Creata: {date}",
  used: "Ultimo uso: {date}",
  expires: "Scade: {date}",
  expired: "Scaduta: {date}",
  never: "mai",
  name: "Nome",
  days: "Scade dopo (giorni)",
  daysOrNever: "Scade dopo (giorni; vuoto: mai)",
  create: "Crea chiave API",
  rotate: "Sostituisci {name}",
  revoke: "Revoca {name}",
  keep: "Copia ora la tua chiave API. Non verrà mostrata di nuovo.",
  overlap: "La chiave precedente funziona fino al {date}.",
  badName: "Inserisci un nome di al massimo 64 caratteri.",
  badScopes: "Scegli che cosa può fare la chiave.",
  badDays: "Inserisci un numero di giorni da 1 a {max}.",
  full: "Hai {max} chiavi API e non puoi averne di più. Revocane prima una.",
  changed: "Questa chiave API è stata modificata nel frattempo. La pagina del tuo account mostra lo stato attuale.",
  notAllowed: "Il tuo account non può usare chiavi API.",
  account: "Vai al tuo account",
  mailCreated: "Una chiave API è stata aggiunta al tuo account: {name}",
  mailRotated: "Una chiave API del tuo account è stata sostituita: {name}",
  mailExpires:
    "Una chiave API del tuo account scade il {date}: {name}. Per continuare a usarla, sostituiscila nella pagina del tuo account.",
  mailReported: "Una chiave API del tuo account è stata trovata in pubblico e quindi revocata: {name}",
  mailNotYou:
    "Se non conosci questa chiave, revocala nella pagina del tuo account ed esci da tutti gli altri dispositivi.",
}

export default texts

const texts: Readonly<Record<string, string>> = {
  title: "Zaloguj się przez SMS",
  other: "Użyj innego numeru",
  expired: "Ten kod już nie działa. Wyślij nowy.",
  cantSend: "Na ten numer nie można wysłać kodu.",
  current: "Możesz logować się kodami wysyłanymi na {number}.",
  use: "Użyj tego numeru",
  remove: "Usuń ten numer",
  lastWay: "Zanim usuniesz numer, dodaj do konta adres e-mail.",
  mailAdded: "Możesz teraz logować się na konto kodami wysyłanymi na {number}.",
  mailRemoved: "Kodami wysyłanymi na {number} nie można się już zalogować.",
  send: "Wyślij kod SMS-em",
  phone: "Numer telefonu",
  code: "Kod",
  sent: "Kod wysłano na {to}. Wpisz go w ciągu 10 minut.",
  verify: "Dalej",
  wrong: "Ten kod jest nieprawidłowy lub został już użyty.",
  invalid: "Wpisz numer telefonu z kodem kraju, na przykład +48 22 123 45 67.",
  notSent: "Nie udało się wysłać kodu. Spróbuj ponownie później.",
  message: "{code} to Twój kod do {app}. Nikomu go nie podawaj.",
  account: "Przejdź do konta",
  mailNotYou:
    "Jeśli to nie Ty, ktoś może wiedzieć, jak się logujesz. Zaloguj się, zmień to i wyloguj się wszędzie indziej.",
}

export default texts

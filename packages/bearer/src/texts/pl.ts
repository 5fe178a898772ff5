const texts: Readonly<Record<string, string>> = {
  title: "Zaloguj się do {client}",
  asks: "{client} chce Cię zalogować Twoim kontem w {app}. Kontynuuj tylko wtedy, gdy ta strona została otwarta z aplikacji.",
  as: "Jesteś zalogowany jako {user}.",
  continue: "Dalej",
  cancel: "Anuluj",
  unknown: "Nie można odpowiedzieć na to żądanie",
  unknownText:
    "Aplikacja, która otworzyła tę stronę, nie jest tu znana, albo jej żądanie jest nieprawidłowe lub zbyt stare. Wróć do aplikacji i spróbuj ponownie.",
  apps: "Aplikacje",
  app: "{client}, od {date}",
  end: "Wyloguj się z {client}",
}

export default texts

const texts: Readonly<Record<string, string>> = {
  title: "Přihlášení do {client}",
  asks: "{client} vás chce přihlásit vaším účtem v {app}. Pokračujte jen tehdy, pokud jste tuto stránku otevřeli z aplikace.",
  as: "Jste přihlášeni jako {user}.",
  continue: "Pokračovat",
  cancel: "Zrušit",
  unknown: "Na tento požadavek nelze odpovědět",
  unknownText:
    "Aplikace, která tuto stránku otevřela, zde není známá, nebo je její požadavek neplatný či příliš starý. Vraťte se do aplikace a zkuste to znovu.",
  apps: "Aplikace",
  app: "{client}, od {date}",
  end: "Odhlásit z {client}",
}

export default texts

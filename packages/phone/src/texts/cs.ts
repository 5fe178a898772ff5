const texts: Readonly<Record<string, string>> = {
  title: "Přihlásit se textovou zprávou",
  other: "Použít jiné číslo",
  expired: "Tento kód už neplatí. Pošlete si nový.",
  cantSend: "Na toto číslo nelze poslat kód.",
  current: "Můžete se přihlásit kódem poslaným na {number}.",
  use: "Použít toto číslo",
  remove: "Odebrat toto číslo",
  lastWay: "Než číslo odeberete, přidejte si k účtu e-mail.",
  mailAdded: "K účtu se teď můžete přihlásit kódem poslaným na {number}.",
  mailRemoved: "Kódem poslaným na {number} se už nepřihlásíte.",
  send: "Poslat kód v SMS",
  phone: "Telefonní číslo",
  code: "Kód",
  sent: "Kód byl odeslán na {to}. Zadejte ho do 10 minut.",
  verify: "Pokračovat",
  wrong: "Tento kód je nesprávný nebo už byl použit.",
  invalid: "Zadejte telefonní číslo s předvolbou země, například +420 212 345 678.",
  notSent: "Kód se nepodařilo odeslat. Zkuste to později.",
  message: "{code} je váš kód pro {app}. Nikomu ho nesdělujte.",
  account: "Přejít na účet",
  mailNotYou:
    "Pokud jste to nebyli vy, někdo možná ví, jak se přihlašujete. Přihlaste se, změňte to a odhlaste se všude jinde.",
}

export default texts

const texts: Readonly<Record<string, string>> = {
  title: "Accedi a {client}",
  asks: "{client} vuole farti accedere con il tuo account di {app}. Continua solo se hai aperto questa pagina dall’app.",
  as: "Hai eseguito l’accesso come {user}.",
  continue: "Continua",
  cancel: "Annulla",
  unknown: "Impossibile rispondere a questa richiesta",
  unknownText:
    "L’app che ha aperto questa pagina non è nota qui, oppure la sua richiesta non è valida o è troppo vecchia. Torna all’app e riprova.",
  apps: "App",
  app: "{client}, dal {date}",
  end: "Esci da {client}",
}

export default texts

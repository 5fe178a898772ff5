const texts: Readonly<Record<string, string>> = {
  title: "Se connecter à {client}",
  asks: "{client} souhaite vous connecter avec votre compte {app}. Continuez uniquement si vous avez ouvert cette page depuis l’application.",
  as: "Vous êtes connecté en tant que {user}.",
  continue: "Continuer",
  cancel: "Annuler",
  unknown: "Impossible de répondre à cette demande",
  unknownText:
    "L’application qui a ouvert cette page n’est pas connue ici, ou sa demande est incorrecte ou trop ancienne. Retournez dans l’application et réessayez.",
  apps: "Applications",
  app: "{client}, depuis le {date}",
  end: "Se déconnecter de {client}",
}

export default texts

const texts: Readonly<Record<string, string>> = {
  title: "Iniciar sesión en {client}",
  asks: "{client} quiere iniciar tu sesión con tu cuenta de {app}. Continúa solo si abriste esta página desde la aplicación.",
  as: "Has iniciado sesión como {user}.",
  continue: "Continuar",
  cancel: "Cancelar",
  unknown: "No se puede responder a esta solicitud",
  unknownText:
    "La aplicación que abrió esta página no se conoce aquí, o su solicitud no es válida o es demasiado antigua. Vuelve a la aplicación e inténtalo de nuevo.",
  apps: "Aplicaciones",
  app: "{client}, desde el {date}",
  end: "Cerrar sesión en {client}",
}

export default texts

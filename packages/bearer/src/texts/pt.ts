const texts: Readonly<Record<string, string>> = {
  title: "Entrar em {client}",
  asks: "{client} quer iniciar a sua sessão com a sua conta em {app}. Continue apenas se abriu esta página a partir da aplicação.",
  as: "Você entrou como {user}.",
  continue: "Continuar",
  cancel: "Cancelar",
  unknown: "Não é possível responder a este pedido",
  unknownText:
    "A aplicação que abriu esta página não é conhecida aqui, ou o pedido é inválido ou muito antigo. Volte à aplicação e tente novamente.",
  apps: "Aplicações",
  app: "{client}, desde {date}",
  end: "Sair de {client}",
}

export default texts

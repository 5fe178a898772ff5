const texts: Readonly<Record<string, string>> = {
  title: "Entrar por SMS",
  other: "Usar outro número",
  expired: "Este código não funciona mais. Envie um novo.",
  cantSend: "Não é possível enviar um código para este número.",
  current: "Você pode entrar com códigos enviados para {number}.",
  use: "Usar este número",
  remove: "Remover este número",
  lastWay: "Adicione um e-mail à sua conta antes de remover o seu número.",
  mailAdded: "Agora você pode entrar na sua conta com códigos enviados para {number}.",
  mailRemoved: "Os códigos enviados para {number} não permitem mais entrar.",
  send: "Enviar um código por SMS",
  phone: "Número de telefone",
  code: "Código",
  sent: "Um código foi enviado para {to}. Digite-o em até 10 minutos.",
  verify: "Continuar",
  wrong: "Este código está incorreto ou já foi usado.",
  invalid: "Digite um número de telefone com o código do país, por exemplo +55 11 1234-5678.",
  notSent: "Não foi possível enviar o código. Tente novamente mais tarde.",
  message: "{code} é o seu código para {app}. Não o compartilhe com ninguém.",
  account: "Ir para a sua conta",
  mailNotYou:
    "Se não foi você, alguém pode saber como você entra. Entre, altere isso e saia de todos os outros lugares.",
}

export default texts

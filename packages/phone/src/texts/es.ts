const texts: Readonly<Record<string, string>> = {
  title: "Iniciar sesión por SMS",
  other: "Usar otro número",
  expired: "Este código ya no funciona. Envía uno nuevo.",
  cantSend: "No se puede enviar un código a este número.",
  current: "Puedes iniciar sesión con códigos enviados a {number}.",
  use: "Usar este número",
  remove: "Quitar este número",
  lastWay: "Añade un correo electrónico a tu cuenta antes de quitar tu número.",
  mailAdded: "Ahora puedes iniciar sesión en tu cuenta con códigos enviados a {number}.",
  mailRemoved: "Los códigos enviados a {number} ya no inician tu sesión.",
  send: "Enviar un código por SMS",
  phone: "Número de teléfono",
  code: "Código",
  sent: "Se ha enviado un código a {to}. Introdúcelo en 10 minutos.",
  verify: "Continuar",
  wrong: "Este código es incorrecto o ya se ha usado.",
  invalid: "Introduce un número de teléfono con el prefijo del país, por ejemplo +34 910 123 456.",
  notSent: "No se ha podido enviar el código. Inténtalo más tarde.",
  message: "{code} es tu código para {app}. No lo compartas con nadie.",
  account: "Ir a tu cuenta",
  mailNotYou:
    "Si no has sido tú, puede que alguien sepa cómo inicias sesión. Inicia sesión, cámbialo y cierra la sesión en todos los demás lugares.",
}

export default texts

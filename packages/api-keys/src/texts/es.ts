const texts: Readonly<Record<string, string>> = {
  title: "Claves de API",
  about: "Los programas usan claves de API para actuar en tu nombre. Mantenlas en secreto, como una contraseña.",
  created: "Creada: {date}",
  used: "Último uso: {date}",
  expires: "Caduca: {date}",
  expired: "Caducada: {date}",
  never: "nunca",
  name: "Nombre",
  days: "Caduca después de (días)",
  daysOrNever: "Caduca después de (días; vacío: nunca)",
  create: "Crear clave de API",
  rotate: "Reemplazar {name}",
  revoke: "Revocar {name}",
  keep: "Copia tu clave de API ahora. No se volverá a mostrar.",
  overlap: "La clave anterior funciona hasta el {date}.",
  badName: "Escribe un nombre de hasta 64 caracteres.",
  badScopes: "Elige lo que puede hacer la clave.",
  badDays: "Escribe un número de días de 1 a {max}.",
  full: "Tienes {max} claves de API y no puedes tener más. Revoca una primero.",
  changed: "Esta clave de API se cambió mientras tanto. La página de tu cuenta muestra cómo está ahora.",
  notAllowed: "Tu cuenta no puede usar claves de API.",
  account: "Ir a tu cuenta",
  mailCreated: "Se añadió una clave de API a tu cuenta: {name}",
  mailRotated: "Se reemplazó una clave de API de tu cuenta: {name}",
  mailExpires:
    "Una clave de API de tu cuenta caduca el {date}: {name}. Para seguir usándola, reemplázala en la página de tu cuenta.",
  mailReported: "Una clave de API de tu cuenta se encontró en público, por lo que se revocó: {name}",
  mailNotYou:
    "Si no conoces esta clave, revócala en la página de tu cuenta y cierra la sesión en todos los demás lugares.",
}

export default texts

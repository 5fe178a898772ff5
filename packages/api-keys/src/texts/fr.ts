const texts: Readonly<Record<string, string>> = {
  title: "Clés d’API",
  about: "Les programmes utilisent des clés d’API pour agir en votre nom. Gardez-les secrètes, comme un mot de passe.",
  created: "Création : {date}",
  used: "Dernière utilisation : {date}",
  expires: "Expiration : {date}",
  expired: "Expirée : {date}",
  never: "jamais",
  name: "Nom",
  days: "Expire après (jours)",
  daysOrNever: "Expire après (jours ; vide : jamais)",
  create: "Créer une clé d’API",
  rotate: "Remplacer {name}",
  revoke: "Révoquer {name}",
  keep: "Copiez votre clé d’API maintenant. Elle ne sera plus affichée.",
  overlap: "L’ancienne clé fonctionne jusqu’au {date}.",
  badName: "Saisissez un nom de 64 caractères au maximum.",
  badScopes: "Choisissez ce que la clé peut faire.",
  badDays: "Saisissez un nombre de jours de 1 à {max}.",
  full: "Vous avez {max} clés d’API et ne pouvez pas en avoir plus. Révoquez-en une d’abord.",
  changed: "Cette clé d’API a été modifiée entre-temps. La page de votre compte montre son état actuel.",
  notAllowed: "Votre compte ne peut pas utiliser de clés d’API.",
  account: "Accéder à votre compte",
  mailCreated: "Une clé d’API a été ajoutée à votre compte : {name}",
  mailRotated: "Une clé d’API de votre compte a été remplacée : {name}",
  mailExpires:
    "Une clé d’API de votre compte expire le {date} : {name}. Pour continuer à l’utiliser, remplacez-la sur la page de votre compte.",
  mailReported: "Une clé d’API de votre compte a été trouvée en public et a donc été révoquée : {name}",
  mailNotYou:
    "Si vous ne connaissez pas cette clé, révoquez-la sur la page de votre compte et déconnectez-vous partout ailleurs.",
}

export default texts

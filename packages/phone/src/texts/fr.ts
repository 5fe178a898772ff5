const texts: Readonly<Record<string, string>> = {
  title: "Se connecter par SMS",
  other: "Utiliser un autre numéro",
  expired: "Ce code ne fonctionne plus. Envoyez-en un nouveau.",
  cantSend: "Aucun code ne peut être envoyé à ce numéro.",
  current: "Vous pouvez vous connecter avec des codes envoyés au {number}.",
  use: "Utiliser ce numéro",
  remove: "Supprimer ce numéro",
  lastWay: "Ajoutez une adresse e-mail à votre compte avant de supprimer votre numéro.",
  mailAdded: "Vous pouvez maintenant vous connecter à votre compte avec des codes envoyés au {number}.",
  mailRemoved: "Les codes envoyés au {number} ne vous connectent plus.",
  send: "Envoyer un code par SMS",
  phone: "Numéro de téléphone",
  code: "Code",
  sent: "Un code a été envoyé à {to}. Saisissez-le dans les 10 minutes.",
  verify: "Continuer",
  wrong: "Ce code est incorrect ou a déjà été utilisé.",
  invalid: "Saisissez un numéro de téléphone avec l’indicatif du pays, par exemple +33 1 23 45 67 89.",
  notSent: "Le code n’a pas pu être envoyé. Réessayez plus tard.",
  message: "{code} est votre code pour {app}. Ne le communiquez à personne.",
  account: "Accéder à votre compte",
  mailNotYou:
    "Si ce n’était pas vous, quelqu’un sait peut-être comment vous vous connectez. Connectez-vous, changez-le et déconnectez-vous partout ailleurs.",
}

export default texts

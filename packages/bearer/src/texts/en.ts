const en: Readonly<Record<string, string>> = {
  title: "Sign in to {client}",
  asks: "{client} wants to sign you in with your account at {app}. Only continue if you opened this page from the app.",
  as: "You're signed in as {user}.",
  continue: "Continue",
  cancel: "Cancel",
  unknown: "This request can't be answered",
  unknownText:
    "The app that opened this page isn't known here, or its request is broken or too old. Go back to the app and try again.",
  apps: "Apps",
  app: "{client}, since {date}",
  end: "Sign out of {client}",
}

export default en

/** The texts of each language. Placeholders: `{app}`, `{code}`, `{number}` and `{to}`. */
const en: Readonly<Record<string, string>> = {
  title: "Sign in by text message",
  other: "Use another number",
  expired: "This code doesn't work anymore. Send a new one.",
  cantSend: "No code can be sent to this number.",
  current: "You can sign in with codes to {number}.",
  use: "Use this number",
  remove: "Remove this number",
  lastWay: "Add an email to your account before you remove your number.",
  mailAdded: "You can now sign in to your account with codes to {number}.",
  mailRemoved: "Codes to {number} don't sign you in anymore.",
  send: "Send a code by text message",
  phone: "Phone number",
  code: "Code",
  sent: "A code was sent to {to}. Enter it within 10 minutes.",
  verify: "Continue",
  wrong: "This code is wrong, or it was used already.",
  invalid: "Enter a phone number with its country code, such as +1 555 0100.",
  notSent: "The code couldn't be sent. Try again later.",
  message: "{code} is your code for {app}. Don't share it with anyone.",
  account: "Go to your account",
  mailNotYou: "If this wasn't you, someone may know how you sign in. Sign in, change it, and sign out everywhere else.",
}

export default en

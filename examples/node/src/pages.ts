/** The parts of a session that the pages show. */
interface SignedIn {
  readonly user?: { readonly name?: string | null; readonly email?: string | null }
}

export function homePage(session: SignedIn | null): string {
  if (session === null)
    return page(
      session,
      `<p id="user">Not signed in</p>
      <p><a id="sign-in" href="/account">Your account</a></p>
      <form id="sign-in" method="post" action="/sign-in/start"><button>Sign in</button></form>`,
    )
  return page(
    session,
    `<p id="user">${escape(session.user?.email)}</p>
    <p><a href="/account">Your account</a></p>
    <form id="sign-out" method="post" action="/sign-out"><button>Sign out</button></form>`,
  )
}

export function accountPage(session: SignedIn): string {
  return page(
    session,
    `<h2>Account</h2>
    <p id="account">${escape(session.user?.email)}</p>
    <p id="name">${escape(session.user?.name)}</p>
    <form id="rename" method="post" action="/account">
      <label>Name <input name="name" value="${escape(session.user?.name)}" maxlength="60" required></label>
      <button>Rename</button>
    </form>`,
  )
}

export interface SignInFields {
  readonly callbackUrl?: string | undefined
  readonly error?: string | undefined
}

export function signInPage({ callbackUrl, error }: SignInFields): string {
  return page(
    null,
    `<h2>Sign in</h2>
    ${error === undefined ? "" : `<p id="error">${escape(messages[error] ?? "The sign-in failed. Try again.")}</p>`}
    <form id="password" method="post" action="/sign-in">
      <input type="hidden" name="callbackUrl" value="${escape(callbackUrl)}">
      <label>Email <input name="email" type="email" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button>Sign in</button>
    </form>`,
  )
}

const messages: Readonly<Record<string, string>> = {
  CredentialsSignin: "The email or password is wrong.",
  MissingCSRF: "The form is too old. Try again.",
  RateLimited: "There were too many attempts. Try again later.",
}

/** Every page says who is signed in. */
export function page(session: SignedIn | null, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Harbor</title>
    <link rel="stylesheet" href="/style.css">
  </head>
  <body>
    <header><a href="/">Harbor</a> <span>${escape(session?.user?.name)}</span></header>
    <main>
    ${content}
    </main>
  </body>
</html>
`
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

export function escape(text: string | null | undefined): string {
  return (text ?? "").replace(/[&<>"]/g, (character) => entities[character] ?? character)
}

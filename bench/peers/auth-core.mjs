import { Auth, createActionURL, customFetch } from "@auth/core"
import { decode, encode, getToken } from "@auth/core/jwt"
import PostgresAdapter from "@auth/pg-adapter"

/** The tables from the documentation of the adapter. */
const tables = `
  create table users (id serial primary key, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text);
  create table accounts (id serial primary key, "userId" integer not null, type varchar(255) not null,
    provider varchar(255) not null, "providerAccountId" varchar(255) not null, refresh_token text, access_token text,
    expires_at bigint, id_token text, scope text, session_state text, token_type text);
  create table sessions (id serial primary key, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null);
  create table verification_token (identifier text, expires timestamptz not null, token text, primary key (identifier, token));`

/** `@auth/core` changes the configuration object, and ours are frozen. */
const copy = (config) => ({ ...config })

/** @type {import("./engine.mjs").Engine} */
export const authCore = {
  name: "@auth/core",
  customFetch,
  encode,
  decode,
  getToken,
  answer(config) {
    const own = copy(config)
    return (request) => Auth(request, own)
  },

  /** Its integrations send a request to the session route and parse the response. */
  getSession(config) {
    const own = copy(config)
    return async (headers) => {
      const url = createActionURL("session", "https", headers, {}, own)
      const response = await Auth(new Request(url, { headers: { cookie: headers.get("cookie") ?? "" } }), own)
      if (response.status !== 200) throw new Error(`The session route answered ${response.status}`)
      return response.json()
    }
  },

  async postgres(pool) {
    await pool.query(tables)
    return PostgresAdapter(pool)
  },

  bundles: {
    sessionCheck: `export { getToken } from "@auth/core/jwt"`,
    engine: `export { Auth } from "@auth/core"
      export const provider = { id: "op", name: "OP", type: "oauth", authorization: "https://op.test/authorize",
        token: "https://op.test/token", userinfo: "https://op.test/me", profile: ({ id, name }) => ({ id, name }) }`,
  },
}

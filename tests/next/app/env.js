/** The tests set these variables. */
export const {
  DATABASE,
  ISSUER,
  SERVICES_URL,
  /** "jwt" or "database" */
  STRATEGY = "jwt",
  /** "stored": a user who signs in with a password is in the database. */
  USERS,
  /** "strict" or "compatible" */
  SECURITY,
  /** Seconds. */
  UPDATE_AGE,
  /** Seconds. */
  MAX_AGE,
  /** Path of a custom sign-in page. */
  SIGN_IN_PAGE,
  /** "none": the browser asks for the session. */
  SESSION_PROP,
  /** "provider" or "unprotected" */
  CONFIG_ERROR,
} = process.env

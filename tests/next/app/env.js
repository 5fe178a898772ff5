/** What the tests choose when they start the application. */
export const {
  DATABASE,
  ISSUER,
  OUTSIDE,
  /** "jwt" or "database" */
  STRATEGY = "jwt",
  /** "strict" or "compatible" */
  SECURITY,
  /** Seconds. */
  UPDATE_AGE,
  MAX_AGE,
  /** The sign-in page of the application's own. */
  SIGN_IN_PAGE,
  /** "none": the browser has to ask for the session itself. */
  SESSION_PROP,
  /** What is wrong with the configuration. */
  FAULT,
} = process.env

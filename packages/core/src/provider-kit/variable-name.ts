/**
 * The environment variable for an option of a provider: `AUTH_<ID>_<SUFFIX>`. Characters of the id that a variable name
 * can't have become underscores.
 */
export function variableName(id: string, suffix: string): string {
  return `AUTH_${id.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_")}_${suffix}`
}

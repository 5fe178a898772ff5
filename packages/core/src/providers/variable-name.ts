/** `AUTH_<ID>_<SUFFIX>`, with an underscore for whatever a variable's name cannot have. */
export function variableName(id: string, suffix: string): string {
  return `AUTH_${id.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_")}_${suffix}`
}

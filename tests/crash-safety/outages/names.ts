/** The email of the user with that id at the provider. */
export function emailOf(id: string): string {
  return `user-${id}@example.test`
}

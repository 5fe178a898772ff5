/** Ids are text by contract, but published adapters over serial columns hand out numbers: compare and seal them as text. */
export function idText(id: string | number): string {
  return String(id)
}

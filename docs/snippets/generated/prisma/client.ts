/** What `prisma generate` writes from the schema. */
export declare const PrismaClient: new (options: { readonly adapter: object }) => object

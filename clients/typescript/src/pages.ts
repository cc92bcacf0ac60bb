/** Reads a list page by page. Each page is a call of its own, with its own attempts and its own deadline. */

export interface Page<Item> {
  data: readonly Item[];
  nextCursor: string | null;
}

export async function* follow<Item>(
  page: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await page(cursor);
    yield* data;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

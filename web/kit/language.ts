import { PSEUDO_LANGUAGE, pseudoCatalogue } from './pseudo.ts';
import { catalogue, SOURCE_LANGUAGE } from './text.ts';

type Sentences = Readonly<Record<string, string>>;

/** A second language is a second file. English is the language of the keys, and its file is only a list of them. */
const files = import.meta.glob<Sentences>(['../locales/*.json', '!../locales/en.json'], { import: 'default' });

const sentencesOf = async (language: string): Promise<Sentences | undefined> => {
  if (language !== PSEUDO_LANGUAGE) return files[`../locales/${language}.json`]?.();
  return pseudoCatalogue((await import('../locales/en.json')).default);
};

const kept = 'bahi.language';
const keptLanguage = (): string => localStorage.getItem(kept) ?? SOURCE_LANGUAGE;

/** Loads the language of this browser before anything is drawn. Without its file the texts are English. */
export async function startLanguage(language = keptLanguage()): Promise<void> {
  const sentences = await sentencesOf(language).catch(() => undefined);
  if (!sentences) return;
  catalogue.addResourceBundle(language, 'translation', sentences);
  await catalogue.changeLanguage(language);
  document.documentElement.lang = language;
}

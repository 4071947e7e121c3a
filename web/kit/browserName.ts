import { t } from './text.ts';

/** Named first in a browser's own words wins: each of them also claims to be those behind it. */
const browsers = [
  [/Edg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/SamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Headless)?(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari/, 'Safari'],
] as const;

const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
] as const;

/** "Firefox 141 on Windows" from what a browser says of itself; another program's own words are kept. */
export const browserName = (agent: string): string => {
  const system = systems.find(([sign]) => sign.test(agent))?.[1];
  for (const [sign, name] of browsers) {
    const version = sign.exec(agent)?.[1];
    if (version) return `${name} ${version}${system ? ` on ${system}` : ''}`;
  }
  return agent.slice(0, 60) || t('Unknown browser');
};

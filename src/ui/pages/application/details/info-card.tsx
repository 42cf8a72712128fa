import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { api } from '../../../api/index.ts';
import { ExternalLink, UserText, visibleText } from '../../../design/index.ts';
import { useShown, useShownName } from '../use-application.ts';

/** What somebody wrote about the application, and where else to look: links of its resources and those that settings name. */
export function InfoCard(): ReactElement | null {
  const { spec, status } = useShown();
  const { name, appNamespace, project } = useShownName();
  const { data } = useQuery({
    queryKey: ['application', appNamespace, name, 'links'],
    queryFn: ({ signal }) => api.ApplicationService.ListLinks({ name, namespace: appNamespace, project }, { signal }),
  });
  const info = spec.info ?? [];
  const links = [
    ...(data?.items ?? []).map(({ title, url }) => ({ title: title || url, url })),
    ...(status?.summary?.externalURLs ?? []).map((url) => ({ title: url, url })),
  ];
  if (info.length === 0 && links.length === 0) return null;
  return (
    <section className="card details-card" aria-label="Info and links">
      <h2>Info and links</h2>
      <dl className="facts">
        {info.map((item, index) => (
          <div key={`${index} ${item.name}`}>
            <dt>
              <UserText>{item.name}</UserText>
            </dt>
            <dd>
              <ExternalLink href={item.value}>
                <UserText>{item.value}</UserText>
              </ExternalLink>
            </dd>
          </div>
        ))}
        {links.length > 0 && (
          <div>
            <dt>Links</dt>
            <dd>
              {links.map(({ title, url }, index) => (
                <div key={`${index} ${url}`} title={visibleText(url)}>
                  <ExternalLink href={url}>
                    <UserText>{title}</UserText>
                  </ExternalLink>
                </div>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

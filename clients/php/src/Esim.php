<?php

declare(strict_types=1);

namespace TravelPartner;

/** eSIM plans and orders. */
final class Esim
{
    public readonly Resource\EsimPlansApi $plans;
    public readonly Resource\EsimOrdersApi $orders;

    public function __construct(Client $client)
    {
        $this->plans = new Resource\EsimPlansApi($client);
        $this->orders = new Resource\EsimOrdersApi($client);
    }
}
